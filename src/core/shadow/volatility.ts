/** Volatility: the standard deviation of recent scores of a corridor. */

/** Scores in hundredths in, the deviation in score units out, to four decimals; none or one score has none. */
export function volatilityOf(scoresHundredths: readonly number[]): number {
  const count = scoresHundredths.length
  if (count < 2) return 0
  let sum = 0
  let squares = 0
  for (const score of scoresHundredths) {
    sum += score
    squares += score * score
  }
  const variance = (squares * count - sum * sum) / (count * count)
  return Math.round(Math.sqrt(variance) * 100) / 10_000
}
