/** Adds examples to the OpenAPI document, recorded from the service by scripts/examples. */

import { readFileSync } from 'node:fs'
import { withoutWindow } from '../schemas/common.ts'

type ByName<Value> = Readonly<Record<string, Value>>

interface Examples {
  readonly operations: ByName<{
    readonly parameters: ByName<unknown>
    readonly requests: ByName<unknown>
    readonly answers: ByName<unknown>
  }>
  /** By status and error code. */
  readonly errors: ByName<ByName<{ readonly summary: string; readonly value: object }>>
  readonly events: ByName<object>
}

interface Media {
  example?: unknown
  examples?: unknown
}

interface Described {
  readonly content?: ByName<Media>
  readonly headers?: object
}

interface Operation {
  readonly operationId?: string
  readonly parameters?: readonly { readonly name: string; example?: unknown }[]
  readonly requestBody?: Described
  readonly responses?: ByName<Described>
}

type Operations = ByName<ByName<Operation>>

/** Read when the document is first built: most processes never serve it. */
const readExamples = (): Examples =>
  JSON.parse(readFileSync(new URL('examples.json', import.meta.url), 'utf8')) as Examples

/** Adds examples in place. Operations without a recorded example stay unchanged. */
export function addExamples(document: { paths?: object; webhooks?: object }): void {
  const { operations, errors, events } = readExamples()
  for (const operation of operationsIn(document.paths)) {
    const { parameters = {}, requests = {}, answers = {} } = operations[operation.operationId ?? ''] ?? {}
    for (const parameter of operation.parameters ?? []) {
      if (parameters[parameter.name] !== undefined) parameter.example = parameters[parameter.name]
    }
    show(operation.requestBody, requests)
    for (const [status, answer] of Object.entries(operation.responses ?? {})) {
      if (Number(status) < 400) show(answer, answers)
      else
        for (const media of Object.values(answer.content ?? {}))
          media.examples = errors[errorKeyOf(status, answer)]
    }
  }
  for (const { operationId = '', requestBody } of operationsIn(document.webhooks)) {
    const event = events[operationId]
    if (event !== undefined) show(requestBody, { 'application/json': event })
  }
}

const operationsIn = (part: object = {}): Operation[] =>
  Object.values(part as Operations).flatMap((operations) => Object.values(operations))

function show(described: Described | undefined, examples: ByName<unknown>): void {
  for (const [type, media] of Object.entries(described?.content ?? {})) {
    if (examples[type] !== undefined) media.example = examples[type]
  }
}

/** Routes without a rate limit have different errors for the same status. */
function errorKeyOf(status: string, { headers = {} }: Described): string {
  return 'RateLimit' in headers || withoutWindow.has(Number(status)) ? status : `${status}Unlimited`
}
