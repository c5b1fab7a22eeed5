/** Corridor. */

import { Page } from '../../ui/page.tsx'

export default function ThisPage() {
  return <Page title="Corridor">…</Page>
}
