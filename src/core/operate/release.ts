/**
 * The version of this package. A constant, since the core reads no files; a test compares it with `package.json`. The
 * engine, which decides, has a version of its own.
 */
export const releaseVersion = '0.2.0'
