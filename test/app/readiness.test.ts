/** Readiness of what this version does not set by itself: the captcha that protects access requests. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noFeeds } from '../../src/adapters/feeds/none.ts'
import { createLiveSignals } from '../../src/app/live-signals.ts'
import { createReadiness } from '../../src/app/readiness.ts'
import { readConfig, setupOf } from '../../src/config.ts'
import { withHarness } from '../helpers/harness.ts'

test('the captcha is ready when it is configured, missing when it is not, and planned where there is nothing to protect', async () => {
  await withHarness({}, async ({ store, clock }) => {
    const rows = [
      ['configured', 'ready'],
      ['missing', 'not_available'],
      [null, 'planned'],
    ] as const
    for (const [captcha, status] of rows) {
      const setup = { ...setupOf(readConfig({})), captcha }
      const { checklist } = await createReadiness({
        store,
        clock,
        live: createLiveSignals({ feeds: noFeeds, store, clock }),
        setup,
      })()
      const found = checklist.find(({ item }) => item === 'captcha_configured')
      assert.equal(found?.status, status)
    }
  })
})
