/** What the process that holds the port and those that serve on it say to each other. */

import type { Figures } from '../metrics.ts'

export type ToPrimary =
  | { readonly kind: 'ready'; readonly url: string }
  /** It cannot start, for this reason. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Asks for everybody's figures, and brings its own. */
  | { readonly kind: 'figures_wanted'; readonly id: number; readonly own: Figures }
  /** Its own figures: the answer to a question, or the last before it ends. */
  | { readonly kind: 'figures'; readonly id: number | null; readonly own: Figures }

export type ToWorker =
  | { readonly kind: 'stop' }
  | { readonly kind: 'reload' }
  | { readonly kind: 'figures_wanted'; readonly id: number }
  | { readonly kind: 'figures'; readonly id: number; readonly all: readonly Figures[] }
