/** Why a signal could not be read, in words. */

import type { AdminFeeds } from '@fairway/client'

type Fault = NonNullable<AdminFeeds['feeds'][number]['last_fault']>

export const feedFaults: Readonly<Record<Fault, string>> = {
  no_feed: 'No feed in the file',
  refused: 'No connection to the provider',
  timeout: 'No answer in time',
  connection_lost: 'Connection lost',
  bad_status: 'Provider answered with an error',
  redirect: 'Provider answered with a redirect',
  oversized: 'Answer too large',
  unreadable: 'Answer not readable',
  no_value: 'No value in the answer',
  wrong_type: 'Value of the wrong type',
  out_of_range: 'Value out of range',
  stale: 'Value too old',
  no_history: 'Too few rates',
  breaker_open: 'Paused after repeated failures',
  store_unavailable: 'Outcomes could not be read',
}
