/** The version of the API contract. It is independent of the engine's version, which changes with the scores. */

/** The major version increases with every breaking change (docs/contract.md). */
export const contractVersion = '1.2.0'

/** Used in paths and in `X-SVC-Version`. */
export const contractMajor = `v${contractVersion.split('.')[0]}`
