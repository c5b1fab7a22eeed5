/** The faults of a draft, found as it is typed: by the server, which has the one compiler of expressions. */

import type { FairwayClient, FairwayError, PolicyCheck, PolicyDocument } from '@fairway/client'
import { useEffect, useState } from 'react'
import { useQuery } from '../../query.ts'
import { currencyOf, type CapDraft, type Draft } from './draft.ts'

type Fault = PolicyCheck['errors'][number]

/** Of a document, whose text tells whether it is still the one on the page. */
export interface Checked {
  readonly text: string
  readonly document: PolicyDocument
  readonly faults: readonly Fault[]
}

const pauseMs = 400
const whenPath = /^\/rules\/(\d+)\/when$/

/**
 * The server compiles expressions only in a document whose form is right. While a name or an id is still missing, the
 * expressions are checked in a document of their own.
 */
async function expressionFaults(
  client: FairwayClient,
  { rules = [] }: PolicyDocument,
  known: readonly Fault[],
): Promise<readonly Fault[]> {
  const isKnown = (place: number): boolean => known.some(({ path }) => path === `/rules/${place}/when`)
  const places = rules.map((_rule, place) => place).filter((place) => !isKnown(place))
  if (places.length === 0) return []
  const { errors } = await client.checkPolicy({
    name: 'Expressions',
    rules: places.map((place) => ({
      id: `rule-${place}`,
      when: rules[place]?.when ?? '',
      then: 'DEGRADED',
      message: 'Checked.',
    })),
  })
  return errors.flatMap((fault) => {
    const [, index] = whenPath.exec(fault.path) ?? []
    const place = index === undefined ? undefined : places[Number(index)]
    return place === undefined ? [] : [{ ...fault, path: `/rules/${place}/when` }]
  })
}

async function faultsOf(client: FairwayClient, document: PolicyDocument): Promise<readonly Fault[]> {
  const { errors } = await client.checkPolicy(document)
  const isCompiled = errors.every(({ path, position }) => position !== undefined || path === '/rules')
  return isCompiled ? errors : [...errors, ...(await expressionFaults(client, document, errors))]
}

export interface Checking {
  /** The newest answer; null before the first one. */
  readonly checked: Checked | null
  readonly isChecking: boolean
  /** The document was not checked. */
  readonly error: FairwayError | undefined
  readonly retry: () => void
  /** Faults that another request found. */
  readonly found: (checked: Checked) => void
}

/** The value, once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** Checks the document when typing pauses. */
export function useChecking(document: PolicyDocument): Checking {
  const text = JSON.stringify(document)
  const settled = useSettled(text)
  const { data, error, mutate } = useQuery(
    ['policy check', settled],
    async (client): Promise<Checked> => {
      const asked = JSON.parse(settled) as PolicyDocument
      return { text: settled, document: asked, faults: await faultsOf(client, asked) }
    },
    { keepPrevious: true },
  )
  return {
    checked: data ?? null,
    isChecking: data?.text !== text && error === undefined,
    error,
    retry: () => void mutate(),
    found: (checked) => void mutate(checked, { revalidate: false }),
  }
}

/** As in a JSON pointer. */
const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

export const capPath = (cap: CapDraft): string => `/caps/${pointerPart(currencyOf(cap))}`

/** A document has each currency once, so the form finds a second one itself. */
export const isRepeated = (cap: CapDraft, { caps }: Draft): boolean =>
  caps.find((one) => currencyOf(one) === currencyOf(cap))?.key !== cap.key

const sentence = (message: string): string => `This ${message}${/[.!?]$/.test(message) ? '' : '.'}`

/** The message of a field; undefined without a fault, or while the field is empty and nothing was saved yet. */
export type MessageOf = (path: string, typed: string) => string | undefined

export function messagesOf(checked: Checked | null, hasTried: boolean): MessageOf {
  return (path, typed) => {
    if (typed.trim() === '' && !hasTried) return undefined
    const fault = checked?.faults.find((one) => one.path === path)
    return fault && sentence(fault.message)
  }
}
