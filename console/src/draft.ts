/** What is being typed, until it is said: begins anew when what was said changes elsewhere, by a link or the way back. */

import { useState } from 'react'

export function useDraft(said: string): readonly [string, (draft: string) => void] {
  const [state, setState] = useState({ said, draft: said })
  if (state.said !== said) setState({ said, draft: said })
  return [state.said === said ? state.draft : said, (draft) => setState({ said, draft })]
}
