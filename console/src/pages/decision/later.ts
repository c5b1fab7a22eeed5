/** What the page loads after its first look: two tabs, and the form at its foot. One script, since small ones cost a request each. */

export { Debug } from './debug.tsx'
export { Evidence } from './evidence.tsx'
export { OutcomeForm } from './outcome-form.tsx'
