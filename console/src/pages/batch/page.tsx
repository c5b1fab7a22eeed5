/** Batch: payments of the past, assessed at once. Nothing is recorded. */

import { useCallback, useEffect } from 'react'
import { useAddress } from '../../address.ts'
import { Keyed } from '../../keyed.tsx'
import { Page } from '../../ui/page.tsx'
import { takeText, type Taken } from './file.ts'
import { Report } from './report.tsx'
import sampleUrl from './sample.csv?url'
import { SheetCard } from './sheet.tsx'
import { DropArea, RefusalNotice, Source } from './source.tsx'
import { useWork, type Work } from './work.ts'
import './batch.css'

/** A file that the server sends with the console, and no question to the API. */
async function takeSample(): Promise<Taken> {
  try {
    const response = await fetch(sampleUrl, { credentials: 'omit' })
    if (!response.ok) throw new Error(String(response.status))
    return takeText('The sample', await response.text())
  } catch {
    return {
      refusal: {
        title: 'The sample could not be fetched',
        body: 'Fairway does not answer. Try again in a moment.',
      },
    }
  }
}

const own = { sample: null, show: null, page: null, verdict: null, order: null }

function BatchWork({ work }: { readonly work: Work }) {
  const [address, change] = useAddress()
  const { batch, take, clear } = work
  const sampleAsked = address.has('sample')
  const isEmpty = batch.loaded === null
  // An address that names the sample opens it.
  useEffect(() => {
    if (sampleAsked && isEmpty) void take(takeSample())
  }, [sampleAsked, isEmpty, take])
  const takeOther = useCallback(
    async (taking: Taken | Promise<Taken>) => {
      await take(taking)
      change(own)
    },
    [take, change],
  )
  const other = {
    ...work,
    take: takeOther,
    clear() {
      // The address first: one that still named the sample would open it again.
      change(own)
      clear()
    },
  }
  function openSample(): void {
    change({ ...own, sample: '1' })
  }
  return (
    <DropArea take={takeOther}>
      {batch.refusal !== null && <RefusalNotice refusal={batch.refusal} />}
      {batch.loaded === null ? (
        <Source take={takeOther} onSample={openSample} />
      ) : batch.report === null ? (
        <SheetCard work={other} loaded={batch.loaded} />
      ) : (
        <Report work={other} loaded={batch.loaded} report={batch.report} />
      )}
    </DropArea>
  )
}

export default function BatchPage() {
  const work = useWork()
  return (
    <Page
      title="Batch"
      lead="What would Fairway have said of the payments that you made? Assess up to 500 at once, before you change anything."
    >
      <Keyed what="what Fairway says of your payments">
        <BatchWork work={work} />
      </Keyed>
    </Page>
  )
}
