/** The batch page: assesses past payments from a CSV file, and lists kept reports. No decision is recorded. */

import { useCallback, useEffect } from 'react'
import { useAddress } from '../../address.ts'
import { Keyed } from '../../keyed.tsx'
import { NotForLive } from '../../mode.tsx'
import { useSession } from '../../session.tsx'
import { Page } from '../../ui/page.tsx'
import { loadText, type LoadResult } from './file.ts'
import { KeptReports } from './kept.tsx'
import { Report } from './report.tsx'
import sampleUrl from './sample.csv?url'
import { SheetCard } from './sheet.tsx'
import { DropArea, RefusalNotice, Source } from './source.tsx'
import { useWork, type Work } from './work.ts'
import './batch.css'

/** Loads the sample file, which is served with the console, not by the API. */
async function loadSample(): Promise<LoadResult> {
  try {
    const response = await fetch(sampleUrl, { credentials: 'omit' })
    if (!response.ok) throw new Error(String(response.status))
    return loadText('Sample', await response.text())
  } catch {
    return {
      refusal: {
        title: 'The sample could not be loaded',
        body: 'The server did not respond. Try again in a moment.',
      },
    }
  }
}

const noParams = { sample: null, show: null, page: null, verdict: null, order: null }

function BatchWork({ work }: { readonly work: Work }) {
  const [address, change] = useAddress()
  const { batch, load, clear } = work
  const isSample = address.has('sample')
  const isEmpty = batch.loaded === null
  // An address with `sample` opens the sample.
  useEffect(() => {
    if (isSample && isEmpty) void load(loadSample())
  }, [isSample, isEmpty, load])
  const loadOther = useCallback(
    async (loading: LoadResult | Promise<LoadResult>) => {
      await load(loading)
      change(noParams)
    },
    [load, change],
  )
  const other = {
    ...work,
    load: loadOther,
    clear() {
      // Clear the address first: `sample` in it would load the sample again.
      change(noParams)
      clear()
    },
  }
  function openSample(): void {
    change({ ...noParams, sample: '1' })
  }
  return (
    <DropArea load={loadOther}>
      {batch.refusal !== null && <RefusalNotice refusal={batch.refusal} />}
      {batch.loaded === null ? (
        <>
          <Source load={loadOther} onSample={openSample} />
          <KeptReports />
        </>
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
  const { verifyMode } = useSession()
  return (
    <Page title="Batch" lead="Assess up to 500 past payments at once. No decision is recorded.">
      <Keyed what="batch assessments">
        {verifyMode === 'live' ? (
          <NotForLive title="No live batch assessment">
            A batch is assessed by simulated signals, so a live key has no assessment.
          </NotForLive>
        ) : (
          <BatchWork work={work} />
        )}
      </Keyed>
    </Page>
  )
}
