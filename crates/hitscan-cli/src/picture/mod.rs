//! Pictures of scenes.
