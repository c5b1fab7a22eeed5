/** The version of the contract, apart from the engine's: a score can change without it, and it without a score. */

/** As docs/contract.md says: the first number goes up when callers break. */
export const contractVersion = '1.1.0'

/** In the paths and in `X-SVC-Version`. */
export const contractMajor = `v${contractVersion.split('.')[0]}`
