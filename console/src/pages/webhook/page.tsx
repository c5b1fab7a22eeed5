/** Webhook. */

import { Page } from '../../ui/page.tsx'

export default function ThisPage() {
  return <Page title="Webhook">…</Page>
}
