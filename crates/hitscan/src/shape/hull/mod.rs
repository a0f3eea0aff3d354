//! How convex hulls are made: from points by quickhull, and from planes after a look at whether they enclose anything.

pub(super) mod edges;
pub(super) mod enclose;
pub(super) mod faces;
pub(super) mod meeting;
pub(super) mod quickhull;
