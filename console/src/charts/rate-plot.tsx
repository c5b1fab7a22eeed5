/**
 * Failure rates as points with their intervals, and the number of payments below each. Positions are shares of the width,
 * so that texts and marks keep their size in any window.
 */

import { useId } from 'react'
import { formatCount, formatShare } from '../format.ts'
import { axisStepsOf, knownOf, recordsMin, type KnownRate, type Rate, type Reading } from './rates.ts'
import './rate-plot.css'

interface PlotColumn extends Rate {
  readonly key: string
  /** Shown on hover. */
  readonly text: string
  readonly reading: Reading
}

export interface PlotTick {
  /** From 0 to 1, along the width. */
  readonly at: number
  readonly text: string
  /** Left out in a narrow window. */
  readonly isMinor?: boolean
}

interface PlotProps {
  readonly columns: readonly PlotColumn[]
  readonly ticks: readonly PlotTick[]
  /** The end of the vertical axis. */
  readonly end: number
  readonly axes: readonly [across: string, up: string]
  /** Whether a column is an equal part of the predicted probabilities, so that rates can be compared with it. */
  readonly isPredicted?: boolean
}

const height = 300

const share = (part: number): string => `${part * 100}%`

/** From the top, as shares of the height. */
function gridLinesOf(end: number): readonly number[] {
  const steps = axisStepsOf(end)
  return Array.from({ length: steps + 1 }, (_, place) => place / steps)
}

const shapes: Readonly<Record<Reading, string>> = {
  expected: 'M0 -5a5 5 0 1 0 0.01 0z',
  more: 'M0 -7 6.500 5h-13z',
  less: 'M0 7 6.500 -5h-13z',
  few: '',
}

/** A shape of its own for each reading, so that colour is never the only cue. */
function PlotMark({ of }: { readonly of: Reading }) {
  return <path className={`plot-mark plot-${of}`} d={shapes[of]} />
}

function Point({
  of: { rate, low, high },
  reading,
  place: { at, width },
  end,
  isPredicted,
}: {
  readonly of: KnownRate
  readonly reading: Reading
  readonly place: { readonly at: number; readonly width: number }
  readonly end: number
  /** Its width is the range that was predicted. */
  readonly isPredicted: boolean
}) {
  const y = (value: number): string => share(1 - value / end)
  return (
    <>
      {isPredicted && (
        <line
          className={`plot-width plot-${reading}`}
          x1={share(at)}
          x2={share(at + width)}
          y1={y(rate)}
          y2={y(rate)}
        />
      )}
      <svg x={share(at + width / 2)} overflow="visible">
        <line className={`plot-interval plot-${reading}`} x1={0} x2={0} y1={y(low)} y2={y(high)} />
        {[low, high].map((bound) => (
          <line
            key={bound}
            className={`plot-interval plot-${reading}`}
            x1={-4}
            x2={4}
            y1={y(bound)}
            y2={y(bound)}
          />
        ))}
        <svg y={y(rate)} overflow="visible">
          <PlotMark of={reading} />
        </svg>
      </svg>
    </>
  )
}

/** A column without a rate says so, where it is wide enough. */
function TooFew({ records, at }: { readonly records: number; readonly at: number }) {
  return (
    <svg x={share(at)} y="100%" overflow="visible">
      <text className="plot-few-text" transform="rotate(-90)" x={8} dominantBaseline="central">
        {records === 0 ? 'no payments' : `fewer than ${recordsMin}`}
      </text>
    </svg>
  )
}

function Prediction({ count }: { readonly count: number }) {
  const width = 1 / count
  return (
    <>
      {Array.from({ length: count }, (_, place) => (
        <rect
          key={place}
          className="plot-range"
          x={share(place * width)}
          y={share(1 - (place + 1) * width)}
          width={share(width)}
          height={share(width)}
        />
      ))}
      <line className="plot-perfect" x1="0" y1="100%" x2="100%" y2="0" />
    </>
  )
}

function Picture({ columns, end, isPredicted = false }: PlotProps) {
  const hatch = useId()
  const width = 1 / columns.length
  return (
    <svg className="plot-picture" width="100%" height={height} overflow="visible" focusable="false">
      <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line className="plot-hatch" x1="0" y1="0" x2="0" y2="6" />
      </pattern>
      {columns.map((column, place) =>
        knownOf(column) === null ? (
          <rect
            key={column.key}
            fill={`url(#${hatch})`}
            x={share(place * width)}
            y="0"
            width={share(width)}
            height="100%"
          />
        ) : null,
      )}
      {gridLinesOf(end).map((line) => (
        <line key={line} className="plot-grid" x1="0" x2="100%" y1={share(line)} y2={share(line)} />
      ))}
      {isPredicted && <Prediction count={columns.length} />}
      {columns.map((column, place) => {
        const known = knownOf(column)
        const at = place * width
        return (
          <g key={column.key}>
            {known === null ? (
              isPredicted && <TooFew records={column.records} at={at + width / 2} />
            ) : (
              <Point of={known} reading={column.reading} place={{ at, width }} {...{ end, isPredicted }} />
            )}
            <rect className="plot-hover" x={share(at)} y="0" width={share(width)} height="100%">
              <title>{column.text}</title>
            </rect>
          </g>
        )
      })}
    </svg>
  )
}

const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumSignificantDigits: 3 })
const numberedMax = 12

/** The number of payments of each column, as bars; few columns have room for the numbers, too. */
function Counts({ columns }: Pick<PlotProps, 'columns'>) {
  const most = Math.max(1, ...columns.map(({ records }) => records))
  const isNumbered = columns.length <= numberedMax
  return (
    <div className="plot-counts">
      {columns.map(({ key, records }) => (
        <span key={key} title={formatCount(records)}>
          <span className="plot-bar">
            {records > 0 && <i style={{ height: `max(2px, ${share(records / most)})` }} />}
          </span>
          {isNumbered && <span className="plot-count">{compact.format(records)}</span>}
        </span>
      ))}
    </div>
  )
}

function Ticks({ ticks, across }: Pick<PlotProps, 'ticks'> & { readonly across: string }) {
  return (
    <>
      <div className="plot-across">
        {ticks.map(({ at, text, isMinor = false }) => (
          <span
            key={at}
            style={{ left: share(at) }}
            className={at === 1 ? 'plot-end' : isMinor ? 'plot-minor' : ''}
          >
            {text}
          </span>
        ))}
      </div>
      <p className="plot-title plot-title-across">{across}</p>
    </>
  )
}

/** Without any rate, a plot of time has the counts alone; that of predictions still shows them. */
export function RatePlot(props: PlotProps) {
  const {
    columns,
    ticks,
    end,
    axes: [across, up],
    isPredicted = false,
  } = props
  const hasPicture = isPredicted || columns.some((column) => knownOf(column) !== null)
  return (
    <div className="plot">
      {hasPicture && (
        <>
          <p className="plot-title">{up}</p>
          <div className="plot-up">
            {gridLinesOf(end).map((line) => (
              <span key={line} style={{ top: share(line) }}>
                {formatShare((1 - line) * end, 1)}
              </span>
            ))}
          </div>
          <Picture {...props} />
          <Ticks ticks={ticks} across={across} />
        </>
      )}
      <p className="plot-title">Payments with a final outcome</p>
      <Counts columns={columns} />
      {!hasPicture && <Ticks ticks={ticks} across={across} />}
    </div>
  )
}

export interface LegendEntry {
  readonly look: Reading | 'interval' | 'perfect' | 'range' | 'hatch'
  readonly text: string
}

/** The look of each mark, in words. */
export function PlotLegend({ of }: { readonly of: readonly LegendEntry[] }) {
  return (
    <ul className="plot-legend">
      {of.map(({ look, text }) => (
        <li key={look}>
          {look === 'hatch' || look === 'range' ? (
            <i className={`plot-swatch-${look}`} />
          ) : (
            <svg width="18" height="18" viewBox="-9 -9 18 18" focusable="false">
              <LegendMark of={look} />
            </svg>
          )}
          {text}
        </li>
      ))}
    </ul>
  )
}

function LegendMark({ of }: { readonly of: Exclude<LegendEntry['look'], 'hatch' | 'range'> }) {
  if (of === 'interval') {
    return <path className="plot-interval plot-expected" d="M0 -8V8M-4 -8h8M-4 8h8" />
  }
  if (of === 'perfect') return <path className="plot-perfect" d="M-9 9 9 -9" />
  return <PlotMark of={of} />
}
