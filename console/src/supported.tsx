/** The supported corridors: those of the key's mode, or of the published rules without a key. */

import type { CorridorList } from '@fairway/client'
import { corridorName } from './countries.ts'
import { useQuery, type Query } from './query.ts'
import { useRules } from './rules.ts'
import { useSession } from './session.tsx'
import { Field } from './ui/field.tsx'

export type SupportedCorridor = CorridorList['corridors'][number]

export function useCorridors(isWanted = true): Query<CorridorList> {
  return useQuery(isWanted ? ['corridor list'] : null, (client) => client.corridors())
}

/** Empty until they are known. A test key supports the corridors of the rules, so it needs no query of its own. */
export function useCorridorCodes(): readonly string[] {
  const { mode } = useSession()
  const { data: rules } = useRules()
  const { data } = useCorridors(mode === 'live')
  const codes = mode === 'live' ? data?.corridors.map(({ corridor }) => corridor) : rules?.supported_corridors
  return codes ?? []
}

/** The suggestions of a corridor field. */
export function CorridorOptions({ id }: { readonly id: string }) {
  const codes = useCorridorCodes()
  return (
    <datalist id={id}>
      {codes.map((corridor) => (
        <option key={corridor}>{corridor}</option>
      ))}
    </datalist>
  )
}

export function CorridorSelect({
  codes,
  value,
  onChoose,
}: {
  readonly codes: readonly string[]
  readonly value: string
  readonly onChoose: (corridor: string) => void
}) {
  return (
    <Field label="Corridor">
      {(input) => (
        <select {...input} value={value} onChange={({ target }) => onChoose(target.value)}>
          {codes.map((code) => (
            // The code comes first, because a narrow field cuts the end.
            <option key={code} value={code}>
              {`${code}: ${corridorName(code)}`}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
