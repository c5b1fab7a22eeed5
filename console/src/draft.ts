/** A text field's draft, which resets when the submitted value changes elsewhere, such as by a link or Back. */

import { useState } from 'react'

export function useDraft(submitted: string): readonly [string, (draft: string) => void] {
  const [state, setState] = useState({ submitted, draft: submitted })
  if (state.submitted !== submitted) setState({ submitted, draft: submitted })
  return [state.submitted === submitted ? state.draft : submitted, (draft) => setState({ submitted, draft })]
}
