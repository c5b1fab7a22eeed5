/** A page of figures, read as Prometheus reads it. */

import assert from 'node:assert/strict'

/** Each sample by its name and labels; every line must be a comment or a sample. */
export function samplesIn(text: string): Record<string, number> {
  const samples: Record<string, number> = {}
  for (const line of text.split('\n').filter((one) => one !== '')) {
    if (/^# (?:HELP|TYPE) \w+ \S/.test(line)) continue
    const [, name = '', value] =
      /^(\w+(?:\{[^}]*\})?) (\d+(?:\.\d+)?(?:e-?\d+)?)$/.exec(line) ?? assert.fail(`not a sample: ${line}`)
    assert.equal(samples[name], undefined, `${name} is there twice`)
    samples[name] = Number(value)
  }
  return samples
}

/** The names that a page tells of, with those of the parts of a histogram. */
export function namesIn(text: string): Set<string> {
  const names = new Set<string>()
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    names.add(name)
    if (type === 'histogram') for (const part of ['bucket', 'sum', 'count']) names.add(`${name}_${part}`)
  }
  return names
}
