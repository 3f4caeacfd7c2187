//! The formats of images, and why one cannot be copied.

use std::fmt;

/// A format of image files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JPEG, baseline or progressive (ITU-T T.81).
    Jpeg,
    /// PNG, animated or not (W3C, third edition).
    Png,
    /// WebP, lossy, lossless or animated (RFC 9649).
    Webp,
}

impl Format {
    /// The format with this media type. `None`: the type is that of no image.
    pub fn of_media_type(media_type: &str) -> Option<Self> {
        match media_type {
            "image/jpeg" => Some(Format::Jpeg),
            "image/png" => Some(Format::Png),
            "image/webp" => Some(Format::Webp),
            _ => None,
        }
    }
}

/// Why an image cannot be copied.
#[derive(Debug)]
pub enum ImageError {
    /// The file is not a whole image of its format; the text says what is wrong.
    Malformed(&'static str),
    /// Reading or writing has failed.
    Io(std::io::Error),
}

impl fmt::Display for ImageError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(what) => write!(to, "the image is malformed: {what}"),
            Self::Io(error) => write!(to, "the image cannot be copied: {error}"),
        }
    }
}

impl std::error::Error for ImageError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Malformed(_) => None,
            Self::Io(error) => Some(error),
        }
    }
}

impl From<std::io::Error> for ImageError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}
