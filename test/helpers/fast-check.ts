/** fast-check with one seed, so that generated input is the same in each run. `npm run torture` is the place for other seeds. */

import fc from 'fast-check'

fc.configureGlobal({ seed: 20_261_116 })

export { default } from 'fast-check'
