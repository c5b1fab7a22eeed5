/** Names of members that logs and exports can show as a keyed hash. */

export const maskableNames = [
  // Of the history and of a decision's export
  'request_id',
  'recorded_at',
  'evaluated_at',
  'corridor',
  'decision',
  'score',
  'confidence',
  'amount',
  'currency',
  'request_currency',
  'settlement_currency',
  'mode',
  'correlation_id',
  'justification',
  'override_action',
  'override_reason_code',
  'overridden_at',
  'outcome',
  'cooldown_source_request_id',
  'reason_codes',
  'recommended_action',
  // Of the activity
  'act_id',
  'at',
  'kind',
  'subject',
  'by_kind',
  'by',
  'by_name',
  'detail',
  'leaf_index',
  // Of log lines and of the details of acts
  'client_address',
  'event_id',
  'key_id',
  'owner_id',
  'person_id',
  'reason',
  'reference',
  'route',
  'session_id',
  'url',
  'webhook_id',
] as const

/** Columns that tell the value of another: a mask of that one hides them, too. */
const derivedNames: Readonly<Record<string, readonly string[]>> = {
  corridor: ['settlement_currency'],
  currency: ['request_currency'],
  request_currency: ['currency'],
}

/** With those that tell the same. Null if one of the names is not known. */
export function parseMaskedNames(text: string): readonly string[] | null {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  if (!names.every((name) => maskableNames.some((known) => known === name))) return null
  return [...new Set(names.flatMap((name) => [name, ...(derivedNames[name] ?? [])]))]
}
