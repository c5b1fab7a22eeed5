/** The review desk in the browser tests: decisions to review, people at the desk, and what its page shows. */

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { console, openWindow, type Console, type View, type Visited } from './console.ts'
import { addSession, ownerOf, withPeople, type ConsolePeople } from './console-people.ts'
import { plainCookie } from './people.ts'
import { checkedFetch } from './process/checked-fetch.ts'
import { ask } from './process/process.ts'
import { reviewOf, type ActName } from './reviews.ts'

export const wide = { width: 1440, height: 900 } as const
export const narrow = { width: 390, height: 844, scheme: 'dark' } as const

/** Decides a payment, and returns the id of its review. */
export async function decide(
  key: string,
  amount: number,
  { at = console, corridor = 'GB-NG' }: { readonly at?: Console; readonly corridor?: string } = {},
): Promise<string> {
  const answer = await ask(at.url, key, { corridor, amount, currency: 'GBP' })
  return reviewOf(((await answer.json()) as { request_id: string }).request_id)
}

type Headers = Readonly<Record<string, string>>

export const byKey = (key: string): Headers => ({ authorization: `Bearer ${key}` })
export const bySession = (token: string): Headers => ({
  cookie: `${plainCookie}=${token}`,
  origin: console.url,
})

/** One act by somebody who is not at this browser. */
export async function actElsewhere(by: Headers, id: string, name: ActName, body?: object): Promise<void> {
  const answer = await checkedFetch(`${console.url}/api/v1/reviews/${id}/${name}`, {
    method: 'POST',
    headers: { ...by, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  assert.equal(answer.status, 200, await answer.clone().text())
}

export const rows = (page: Page): Locator => page.locator('.desk-rows tbody tr')
export const row = (page: Page, amount: string): Locator => rows(page).filter({ hasText: amount })
export const link = (page: Page, amount: string): Locator => row(page, amount).getByRole('link')
export const amounts = (page: Page): Promise<string[]> => rows(page).getByRole('link').allTextContents()
export const selected = (page: Page): Locator => page.locator('.desk-rows [aria-current]')
export const pane = (page: Page): Locator => page.getByRole('region', { name: 'Review', exact: true })
export const pathOf = (page: Page): string => page.url().slice(console.url.length)

interface Desk {
  readonly key: string
  readonly ownerId: string
  /** The sessions of Rosa, who reviews, and Ada, who also approves. */
  readonly reviewer: string
  readonly approver: string
}

/** An owner with a reviewer and an approver. */
export function withDesk(work: (desk: Desk, people: ConsolePeople) => Promise<void>): Promise<void> {
  return withPeople(console, async (people) => {
    const key = await console.issue({ ownerLabel: 'Payments desk' })
    const ownerId = await ownerOf(console.url, key)
    const join = (name: string, role: 'reviewer' | 'approver'): Promise<string> =>
      people.start({ name, email: `${role}@example.com`, roles: [role], ownerId })
    const reviewer = await join('Rosa Example', 'reviewer')
    await work({ key, ownerId, reviewer, approver: await join('Ada Example', 'approver') }, people)
  })
}

/** Signs this browser in as somebody else than before. */
export async function visitAs(token: string, path: string, view: View = wide): Promise<Visited> {
  await addSession(await openWindow(), console.url, token)
  return console.visit(path, view)
}
