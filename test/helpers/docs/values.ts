/** What differs from run to run: placeholders are filled with what was printed before, outputs are compared without it. */

/** Each form of value that the service gives out; a document writes it with an ellipsis for what it cannot know. */
const forms: Readonly<Record<string, string>> = {
  'SVC-2026-…': String.raw`SVC-\d{4}-[0-9A-Z]{26}`,
  'pk_test_…': 'pk_test_[0-9a-z]{20,}',
  'pk_live_…': 'pk_live_[0-9a-z]{20,}',
  'svc-sandbox-…': 'svc-sandbox-[0-9a-z]{20,}',
  'svc-live-…': 'svc-live-[0-9a-z]{20,}',
  'whsec_…': 'whsec_[0-9A-Za-z+/]{20,}=*',
  'whk_…': 'whk_[0-9a-z]{16,}',
  'key_…': 'key_[0-9a-z]{16,}',
  'acr_…': 'acr_[0-9a-z]{16,}',
  'evt_…': 'evt_[0-9a-z]{16,}',
  'ovr_…': 'ovr_[0-9a-z]{16,}',
  'req_…': 'req_[0-9a-z]{16,}',
  'own_…': 'own_[0-9a-z]{16,}',
  'pol_…': 'pol_[0-9a-z]{16,}',
  'rev_…': 'rev_[0-9a-z]{16,}',
}

const alone = (pattern: string): RegExp => new RegExp(`(?<![0-9A-Za-z_])${pattern}`, 'g')

/** The text with each placeholder replaced by the newest value of its form. Throws where there was none. */
export function filled(text: string, printed: string): string {
  let whole = text
  for (const [placeholder, pattern] of Object.entries(forms)) {
    if (!whole.includes(placeholder)) continue
    const newest = printed.match(alone(pattern))?.at(-1)
    if (newest === undefined) throw new Error(`nothing printed before has the form ${placeholder}`)
    whole = whole.replaceAll(placeholder, newest)
  }
  const left = /\S*…\S*/.exec(whole)?.[0]
  if (left !== undefined) throw new Error(`${left} is no placeholder that can be filled`)
  return whole
}

/** Without what no document can know: ids, keys and times. */
function settled(text: string): string {
  let whole = text
  for (const [placeholder, pattern] of Object.entries(forms)) {
    const name = `<${placeholder.slice(0, -1)}>`
    whole = whole.replaceAll(placeholder, name).replaceAll(alone(pattern), name)
  }
  return whole
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
    .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, '<date>')
}

const tidyText = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter((line) => line !== '')
    .join('\n')

/** Spaces between the tokens mean nothing; those inside of a text do. */
const tidyJson = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"|\s+/g, (found) => (found.startsWith('"') ? found : ''))

/** True where what was printed is what the document shows; `…` stands for anything. */
export function agrees(language: string, shown: string, printed: string): boolean {
  const tidy = language === 'json' ? tidyJson : tidyText
  const parts = tidy(settled(shown)).split('…')
  const pattern = parts
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    .join(String.raw`[\s\S]*?`)
  return new RegExp(`^${pattern}$`).test(tidy(settled(printed)))
}

/** What stands before a port: a host, or the word itself. A bare number may be an amount. */
const beforePort = String.raw`(?:127\.0\.0\.1|localhost):|\bPORT=|--port[ =]|\bport: |\blisten\(`

/** Ports of the document, each with the one that stands for it in this run. */
export function withPorts(text: string, ports: ReadonlyMap<number, number>): string {
  return text.replaceAll(new RegExp(String.raw`(?<=${beforePort})\d{4,5}(?!\d)`, 'g'), (digits) =>
    String(ports.get(Number(digits)) ?? digits),
  )
}

/** The ports that a document names. */
export function portsIn(text: string): number[] {
  return [...text.matchAll(/(?:127\.0\.0\.1|localhost):(\d{4,5})/g)].map(([, digits]) => Number(digits))
}
