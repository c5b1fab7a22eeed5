/** The example of an identity provider starts as its page says. */

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { exampleAccounts } from '../../examples/oidc/provider.ts'
import { root } from '../helpers/docs/checkout.ts'
import { OpenDocument } from '../helpers/docs/document.ts'
import { linksOf } from '../helpers/docs/markdown.ts'
import { readPage } from '../helpers/docs/pages.ts'

const path = 'examples/oidc/README.md'
const page = readPage(path)

/** As npm runs it: in a folder of links npm itself would run it in the real one. */
function withoutNpm(markdown: string): string {
  const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> }
  const command = scripts['identity-provider']
  assert.ok(command !== undefined && markdown.includes('npm run -s identity-provider -- '))
  return markdown.replaceAll('npm run -s identity-provider -- ', `${command} `)
}

test(`${path} does as it says`, async () => {
  const document = await OpenDocument.open(path, withoutNpm(page))
  try {
    assert.ok(document.blocks.length >= 6, 'there is nothing to run')
    for (const block of document.blocks) await document.step(block)
  } finally {
    await document.close()
  }
})

test(`${path} lists every account with its role, and links to pages that are there`, () => {
  const accounts = exampleAccounts('own_example')
  const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  for (const { email } of accounts.list()) {
    const claims = accounts.claimsOf(email, 'id_token') ?? assert.fail(email)
    const row = rows.find(([, account]) => account === `\`${email}\``) ?? assert.fail(`${email} is missing`)
    assert.equal(row[2], `\`${String(claims['roles'])}\``)
    assert.equal(row[3] === 'the owner', claims['owner_id'] === 'own_example')
  }
  const missing = linksOf(page).filter((link) => !existsSync(join(root, 'examples/oidc', link)))
  assert.deepEqual(missing, [])
})
