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
