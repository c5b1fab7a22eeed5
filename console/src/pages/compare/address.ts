/** The address of a comparison. */

export function compareHref(left: string, right: string): string {
  return `/verifications/compare?${new URLSearchParams({ left, right }).toString()}`
}
