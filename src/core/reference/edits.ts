/** The distance between two words: letters more, less or other, and neighbours swapped. */

/**
 * Whether at most so many edits make one text of the other. An edit is a letter more, less, other, or swapped with its
 * neighbour. Gives up early and allocates nothing: a body may have 100,000 unknown names.
 */
export function isWithin(edits: number, one: string, other: string, oneFrom = 0, otherFrom = 0): boolean {
  let at = oneFrom
  let to = otherFrom
  while (at < one.length && one[at] === other[to]) {
    at += 1
    to += 1
  }
  const left = one.length - at
  const leftOfOther = other.length - to
  if (left === 0 || leftOfOther === 0) return left + leftOfOther <= edits
  if (edits === 0 || Math.abs(left - leftOfOther) > edits) return false
  return (
    isWithin(edits - 1, one, other, at + 1, to) ||
    isWithin(edits - 1, one, other, at, to + 1) ||
    isWithin(edits - 1, one, other, at + 1, to + 1) ||
    (one[at] === other[to + 1] &&
      one[at + 1] === other[to] &&
      isWithin(edits - 1, one, other, at + 2, to + 2)) ||
    // A letter more or less between two that are swapped.
    (edits > 1 &&
      one[at] === other[to + 2] &&
      one[at + 1] === other[to] &&
      isWithin(edits - 2, one, other, at + 2, to + 3)) ||
    (edits > 1 &&
      one[at] === other[to + 1] &&
      one[at + 2] === other[to] &&
      isWithin(edits - 2, one, other, at + 3, to + 2))
  )
}
