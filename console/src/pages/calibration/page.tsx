/** The calibration page: whether scores mean what they say, and the policy that the outcomes support. */

import { InvalidRequestError, type Calibration } from '@fairway/client'
import { useSearchParams } from 'wouter'
import { Reliability } from '../../charts/reliability.tsx'
import { Keyed } from '../../keyed.tsx'
import { errorOf } from '../../problem.tsx'
import { useQuery } from '../../query.ts'
import { ScopeProblem } from '../../scope-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import '../policies/policies.css'
import './calibration.css'
import { Controls } from './controls.tsx'
import { NoOutcomes } from './empty.tsx'
import { Censored, Explanation, Figures } from './figures.tsx'
import { filtersOf, isNarrowed, paramsOf, queryOf, widest, type Filters } from './filters.ts'
import { Series } from './series.tsx'
import { Signals } from './signals.tsx'
import { stretchText } from './steps.ts'
import { Suggestion } from './suggestion.tsx'

interface Answer {
  readonly calibration: Calibration
  readonly filters: Filters
}

function Findings({ calibration, filters }: Answer) {
  return (
    <>
      <Figures of={calibration} />
      <div className="calibration-pair">
        <Reliability curve={calibration} />
        <div className="page">
          <Explanation />
          <Censored of={calibration} />
        </div>
      </div>
      <Signals of={calibration.signals} />
      <Series of={calibration} />
      <Suggestion calibration={calibration} filters={filters} />
    </>
  )
}

const skeletons = (
  <>
    <Skeleton height={104} label="Loading figures" />
    <Skeleton height={480} label="Loading curve" />
  </>
)

/** Members whose errors show at their fields, not in a notice. */
const fieldPaths = ['/from', '/to', '/corridor']

const lastYear = { range: widest.range, from: '', to: '' } as const

function LoadedCalibration() {
  const [params, setParams] = useSearchParams()
  const filters = filtersOf(params)
  const change = (changed: Partial<Filters>): void => setParams(paramsOf({ ...filters, ...changed }))
  const { data, error, isLoading, mutate } = useQuery(
    ['calibration', paramsOf(filters).toString()],
    // The filters of the answer: while another one loads, they are not those of the address.
    async (client): Promise<Answer> => ({
      filters,
      calibration: await client.calibration(queryOf(filters, Date.now())),
    }),
    { keepPrevious: true },
  )
  const isStretchInvalid = ['/from', '/to'].some((path) => errorOf(error, path) !== undefined)
  const isFieldError = fieldPaths.some((path) => errorOf(error, path) !== undefined)
  return (
    <>
      <Controls filters={filters} error={error} onChange={change} />
      {error !== undefined && !isFieldError && (
        <ScopeProblem
          error={error}
          scope="policy:read"
          title="This key cannot read the calibration"
          onRetry={() => void mutate()}
        />
      )}
      {isStretchInvalid && (
        <Empty
          icon="clock"
          title="Invalid stretch"
          action={<Button onClick={() => change(lastYear)}>Show last 365 days</Button>}
        />
      )}
      {data === undefined && error === undefined && skeletons}
      {/* A rejected query shows nothing, not even the previous answer. */}
      {data !== undefined && !(error instanceof InvalidRequestError) && (
        <div className="page calibration" aria-busy={isLoading}>
          <p className="small soft">{stretchText(data.calibration)}.</p>
          {data.calibration.with_outcome === 0 ? (
            <NoOutcomes
              of={data.calibration}
              onWiden={isNarrowed(data.filters) ? () => change(widest) : null}
            />
          ) : (
            <Findings {...data} />
          )}
        </div>
      )}
    </>
  )
}

export default function CalibrationPage() {
  return (
    <Page
      title="Calibration"
      lead="Do the scores mean what they say? Predictions beside how payments ended. Days in UTC, as they are counted."
      hasTimes={false}
    >
      <Keyed what="the calibration">
        <LoadedCalibration />
      </Keyed>
    </Page>
  )
}
