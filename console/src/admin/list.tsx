/** Parts that the lists of the administration share: filters in the address, a search field, and the list itself. */

import type { FairwayClient, Page } from '@fairway/client'
import type { ReactNode } from 'react'
import { useSWRConfig } from 'swr'
import { useAddress } from '../address.ts'
import { CursorPages } from '../cursor-pages.tsx'
import { useDraft } from '../draft.ts'
import { Problem } from '../problem.tsx'
import { useOwnQuery, type Query } from '../query.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Empty, Skeleton } from '../ui/state.tsx'
import type { IconName } from '../ui/icon.tsx'
import './admin.css'

export const pageLength = 50

/** A page of a list, by the filters of its address. */
export function useListPage<Item>(
  name: string,
  query: object,
  load: (client: FairwayClient) => Promise<Page<Item>>,
): Query<Page<Item>> {
  return useOwnQuery([name, JSON.stringify(query)], load, { keepPrevious: true })
}

/** Loads again whatever has this name. */
export function useRefresh(...names: readonly string[]): () => void {
  const { mutate } = useSWRConfig()
  return () => void mutate((key) => Array.isArray(key) && names.some((name) => key.includes(name)))
}

/** The value of a filter in the address, if it is one of the choices. */
export function choiceIn<Value extends string>(
  params: URLSearchParams,
  name: string,
  choices: readonly (readonly [value: Value, text: string])[],
): Value | '' {
  const given = params.get(name)
  return choices.find(([value]) => value === given)?.[0] ?? ''
}

/** Applies on Enter, when the field is left, and when it is cleared. */
export function Search({ name = 'q', label, hint }: { name?: string; label: string; hint: string }) {
  const [params, change] = useAddress()
  const applied = params.get(name) ?? ''
  const [draft, setDraft] = useDraft(applied)
  function apply(text: string): void {
    const wanted = text.trim()
    if (wanted !== applied) change({ [name]: wanted === '' ? null : wanted, cursor: null })
  }
  return (
    <form
      className="admin-search"
      role="search"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        apply(draft)
      }}
    >
      <Field label={label}>
        {(input) => (
          <input
            {...input}
            type="search"
            placeholder={hint}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={draft}
            onChange={({ target }) => {
              setDraft(target.value)
              if (target.value === '') apply('')
            }}
            onBlur={() => apply(draft)}
          />
        )}
      </Field>
    </form>
  )
}

/** The first choice is no filter. */
export function Choice({
  name,
  label,
  all,
  choices,
}: {
  readonly name: string
  readonly label: string
  readonly all: string
  readonly choices: readonly (readonly [value: string, text: string])[]
}) {
  const [params, change] = useAddress()
  return (
    <Field label={label}>
      {(input) => (
        <select
          {...input}
          value={choiceIn(params, name, choices)}
          onChange={({ target }) =>
            change({ [name]: target.value === '' ? null : target.value, cursor: null })
          }
        >
          <option value="">{all}</option>
          {choices.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface EmptyText {
  readonly icon: IconName
  readonly title: string
  readonly text: ReactNode
  readonly action?: ReactNode
}

/** Nothing at all, or nothing that matches. */
function NoItems({ filters, empty }: { readonly filters: readonly string[]; readonly empty: EmptyText }) {
  const [params, change] = useAddress()
  if (params.has('cursor')) return <Empty icon="list" title="The list ends here" />
  if (!filters.some((name) => params.has(name))) {
    return (
      <Empty icon={empty.icon} title={empty.title} action={empty.action}>
        {empty.text}
      </Empty>
    )
  }
  return (
    <Empty
      icon="search"
      title="Nothing matches"
      action={
        <Button onClick={() => change(Object.fromEntries(filters.map((name) => [name, null])))}>
          Clear filters
        </Button>
      }
    >
      Change or clear the filters.
    </Empty>
  )
}

export function ListResult<Item>({
  label,
  query,
  filters,
  empty,
  children,
}: {
  readonly label: string
  readonly query: Pick<Query<Page<Item>>, 'data' | 'error'> & { readonly mutate: () => unknown }
  /** The names of filters in the address. */
  readonly filters: readonly string[]
  readonly empty: EmptyText
  readonly children: (items: readonly Item[]) => ReactNode
}) {
  const { data, error, mutate } = query
  return (
    <>
      {error !== undefined && <Problem error={error} onRetry={() => void mutate()} />}
      {data === undefined && error === undefined && <Skeleton height={320} label={`Loading ${label}`} />}
      {data?.items.length === 0 && error === undefined && <NoItems filters={filters} empty={empty} />}
      {data !== undefined && data.items.length > 0 && children(data.items)}
      {data !== undefined && <CursorPages label={`Pages of ${label}`} next={data.nextCursor} />}
    </>
  )
}
