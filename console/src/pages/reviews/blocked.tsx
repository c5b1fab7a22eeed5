/** In place of a form's button while the form cannot be sent: the reason, and a way to discard the text. */

import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

export function Blocked({ reason, onDiscard }: { readonly reason: string; readonly onDiscard: () => void }) {
  return (
    <div className="desk-blocked">
      <p className="small">
        <Icon name="info" size={16} />
        <span>{reason} Your text is kept in this tab.</span>
      </p>
      <Button small onClick={onDiscard}>
        Discard text
      </Button>
    </div>
  )
}
