/** The engine's version: one constant, from which every published form of it is made. */

export const engineVersion = '1.3.0'

const majorMinor = engineVersion.split('.').slice(0, 2).join('.')

/** `1.3` */
export const apiVersion = majorMinor
/** `v1.3` */
export const decisionModel = `v${majorMinor}`
/** `SVC-v1.3.0`: how provenance names the engine of a decision, of whatever version it was. */
export const provenanceModel = (version: string): string => `SVC-v${version}`
/** `v1.3-demo`: what the public demo says of itself. */
export const demoModel = `${decisionModel}-demo`
