/** Everything that a text finds: at once what is known here, and a moment later what the server knows. */

import type { FairwayError } from '@fairway/client'
import { useEffect, useMemo, useState } from 'react'
import { useCallerId, useIsAdmin } from '../caller.ts'
import { corridorName } from '../countries.ts'
import { formatAmount } from '../format.ts'
import { useOwnPages } from '../own-pages.ts'
import type { NavGroup } from '../pages.ts'
import { useQuery } from '../query.ts'
import { useSession } from '../session.tsx'
import { useCorridorCodes } from '../supported.tsx'
import { findDocuments, loadDocuments, type DocumentIndex, type FoundPage } from './documents.ts'
import { recentOf } from './recent.ts'
import {
  administrationFor,
  corridorsFor,
  documentsFor,
  pagesFor,
  resultsFor,
  type Group,
  type Target,
} from './targets.ts'

/** A pause in typing. */
const pauseMs = 150
/** Shorter texts are no ids. */
const lengthMin = 3
/** The API's maximum. */
const lengthMax = 255

const targetsIn = (groups: readonly NavGroup[]): readonly Target[] =>
  groups.flatMap(({ name: group, links }) =>
    links.map(({ path, name, icon, external }) => ({
      href: path,
      title: name,
      note: group,
      icon,
      ...(external === true && { external }),
    })),
  )

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

export interface Found {
  readonly groups: readonly Group[]
  readonly isSearching: boolean
  readonly error: FairwayError | undefined
  readonly retry: () => void
  readonly isSignedIn: boolean
}

/** The answer belongs to its text, so that a late one never replaces a newer. */
function useResults(text: string) {
  const settled = useSettled(text)
  const isLong = settled.length >= lengthMin && settled.length <= lengthMax
  const { data, error, mutate } = useQuery(isLong ? ['search', settled] : null, (client) =>
    client.search(settled),
  )
  const isWanted = text.length >= lengthMin && text.length <= lengthMax
  const isOfText = settled === text
  return {
    results: isOfText && isWanted ? (data?.results ?? []) : [],
    isSearching: isWanted && (!isOfText || (data === undefined && error === undefined)),
    error: isOfText && isWanted ? error : undefined,
    retry: () => void mutate(),
  }
}

/** Found in the guide and the API reference: nothing until they are loaded, and where they cannot be. */
function useDocuments(text: string): readonly FoundPage[] {
  const [index, setIndex] = useState<DocumentIndex | null>(null)
  useEffect(() => {
    let isMounted = true
    loadDocuments().then(
      (loaded) => isMounted && setIndex(loaded),
      () => undefined,
    )
    return () => {
      isMounted = false
    }
  }, [])
  return useMemo(() => (index === null ? [] : findDocuments(index, text)), [index, text])
}

export function useFound(typed: string): Found {
  const text = typed.trim()
  const { client } = useSession()
  const pages = useOwnPages()
  const callerId = useCallerId() ?? ''
  const codes = useCorridorCodes()
  const { results, isSearching, error, retry } = useResults(text)
  const isAdmin = useIsAdmin()
  const documents = useDocuments(text)
  const groups: readonly Group[] = [
    { name: 'Recent', targets: text === '' ? recentOf(callerId) : [] },
    resultsFor(text, results, ({ amount, currency }) => formatAmount(amount, currency)),
    ...(isAdmin ? [administrationFor(text)] : []),
    corridorsFor(text, codes, corridorName),
    pagesFor(text, targetsIn(pages)),
    documentsFor(documents),
  ]
  return {
    groups: groups.filter(({ targets }) => targets.length > 0),
    isSearching: client !== null && isSearching,
    error,
    retry,
    isSignedIn: client !== null,
  }
}
