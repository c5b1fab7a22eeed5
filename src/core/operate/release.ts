/** The version of this package, as `package.json` has it. The engine, which decides, has a version of its own. */
export const releaseVersion = '0.2.0'
