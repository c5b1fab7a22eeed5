/** Two tabs and the form at the foot, loaded after the first look in one script: small ones cost a request each. */

export { Debug } from './debug.tsx'
export { Evidence } from './evidence.tsx'
export { OutcomeForm } from './outcome-form.tsx'
