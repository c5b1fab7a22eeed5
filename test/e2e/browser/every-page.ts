/** Every page and every simple dialogue with data, in four looks: no accessibility rule is broken, and nothing is too wide. */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { consolePages } from '../../../src/http/routes/console.ts'
import { checkPage, console } from '../../helpers/console.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const { skip } = chromiumNeeded

const schemes = ['light', 'dark'] as const
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

/** A window for each scheme, which takes each size in turn: a page costs more to load than to look at. */
async function checkLooks(
  path: string,
  name: string,
  {
    widthMax = 1440,
    open,
  }: { readonly widthMax?: number; readonly open?: (page: Page) => Promise<void> } = {},
): Promise<void> {
  const shown = sizes.filter(({ width }) => width <= widthMax)
  for (const scheme of schemes) {
    const visited = await console.visit(addressOf(path), { key, scheme, ...shown[0] })
    const { page } = visited
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    await open?.(page)
    for (const size of shown) {
      await page.setViewportSize(size)
      await checkPage(visited, `every-${name}-${size.width}-${scheme}`)
    }
  }
}

let key: string
/** The parts of addresses that change. */
const samples: Record<string, string> = { ':corridor': 'GB-NG' }

const policy = {
  name: 'Stops',
  rules: [{ id: 'large', when: 'amount > 500.0', then: 'DEGRADED', message: 'Approve it.' }],
}

async function sent<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await checkedFetch(`${console.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 200, await answer.clone().text())
  return (await answer.json()) as Answer
}

const addressOf = (path: string): string => path.replace(/:\w+/, (name) => samples[name] ?? name)
const nameOf = (path: string): string => path.slice(1).replaceAll(/\W+/g, '-') || 'try'

/** The page of a dialogue, the button that opens it, its title, and the widest window that has it. */
const dialogues: readonly (readonly [
  path: string,
  press: string | null,
  title: string,
  widthMax?: number,
])[] = [
  ['/', 'Menu', 'Menu', 390],
  ['/webhooks?dialog=register', null, 'Register an endpoint'],
  ['/webhooks/:webhook_id', 'Rotate secret', 'Rotate the signing secret'],
  ['/webhooks/:webhook_id', 'Send failed events again', 'Send failed events again'],
  ['/webhooks/:webhook_id', 'Remove', 'Remove this endpoint'],
]

// Each test has its own time; all of them together take longer.
describe('every page and dialogue with data', { skip, timeout: 900_000 }, () => {
  before(async () => {
    key = await console.issue()
    for (const amount of [1_000, 1_000.03, 600_000]) {
      const answer = await ask(console.url, key, { corridor: 'GB-NG', amount, currency: 'GBP' })
      samples[':request_id'] = ((await answer.json()) as { request_id: string }).request_id
    }
    const hook = { url: 'http://127.0.0.1:9/', events: ['payment.decision.created'] }
    samples[':webhook_id'] = (await sent<{ webhook_id: string }>('/api/v1/webhooks', hook)).webhook_id
    samples[':policy_id'] = (await sent<{ policy_id: string }>('/api/v1/policies', policy)).policy_id
  })

  for (const path of consolePages) {
    test(`${path} breaks no rule, wide and narrow, light and dark`, () => checkLooks(path, nameOf(path)))
  }

  for (const [path, press, title, widthMax = 1440] of dialogues) {
    test(`the dialogue ${title} breaks no rule, wide and narrow, light and dark`, () =>
      checkLooks(path, `dialogue-${title.toLowerCase().replaceAll(' ', '-')}`, {
        widthMax,
        async open(page) {
          if (press !== null) await page.getByRole('button', { name: press, exact: true }).click()
          await page.getByRole('dialog', { name: title }).waitFor()
        },
      }))
  }
})
