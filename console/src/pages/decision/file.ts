/** The file of a decision: one request with all that the page shows. */

import type { DecisionFile } from '@fairway/client'
import { useQuery, type Query } from '../../query.ts'

export const useDecisionFile = (id: string): Query<DecisionFile> =>
  useQuery(id === '' ? null : ['decision-file', id], (client) => client.decisionFile(id))

/** Each part of the page gets the file, and the way to read it again after an act. */
export interface FileProps {
  readonly file: DecisionFile
  readonly query: Query<DecisionFile>
}

/** The members that a caller may not see, or that could not be read. */
export type MemberName = DecisionFile['unavailable'][number]

const requestIdDigits = 26

/** The id of the review of a decision, with its digits. A decision that a cooldown repeated is in that of its source. */
export const reviewIdOf = (requestId: string, source: string | null | undefined): string =>
  `rev_${(source ?? requestId).slice(-requestIdDigits).toLowerCase()}`
