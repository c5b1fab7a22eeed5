/** The engine's version, and every published form of it. */

export const engineVersion = '1.3.0'

const majorMinor = engineVersion.split('.').slice(0, 2).join('.')

/** `1.3` */
export const apiVersion = majorMinor
/** `v1.3` */
export const decisionModel = `v${majorMinor}`
/** `SVC-v1.3.0`: the engine of a decision in its provenance, for any engine version. */
export const provenanceModel = (version: string): string => `SVC-v${version}`
/** `v1.3-demo`: the decision model of the public demo. */
export const demoModel = `${decisionModel}-demo`

/**
 * The revision of the rules around the scorer, recorded with each decision so that it can be made again. Revision 2:
 * `BELOW_GO_THRESHOLD`, the request's amount and currency in the answer, no signals for a live corridor without data.
 * Revision 3: decides as 2; exports of its records are always signed. Revision 4: decides as 3; the answer says how long
 * it is valid, and live corridors are those that the operator declares. Revision 5: policies; the answer names them.
 * Revision 6: no `GO` if the amount is too large for every declared partner.
 */
export type Revision = 1 | 2 | 3 | 4 | 5 | 6
export const currentRevision: Revision = 6
export const partnerRequiredFrom: Revision = 6
export const policiesFrom: Revision = 5
export const validUntilFrom: Revision = 4
export const signedExportsFrom: Revision = 3
