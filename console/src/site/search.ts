/** The search of the guide and the API reference: a combobox in a dialog, as in the console, without its framework. */

import {
  findDocuments,
  loadDocuments,
  type FoundPage,
  type FoundPart,
  type Piece,
} from '../search/documents.ts'
import { onSearchKey, shortcut } from '../search/keys.ts'

/** Text is never taken for markup. */
function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}

const marked = (pieces: readonly Piece[]): readonly (Node | string)[] =>
  pieces.map(([text, isFound]) => (isFound ? element('mark', {}, text) : text))

function optionOf({ href, heading, snippet }: FoundPart, place: number): HTMLElement {
  const text = element('span', {}, element('span', { class: 'search-heading' }, ...marked(heading)))
  if (snippet.length > 0)
    text.append(element('span', { class: 'small soft search-snippet' }, ...marked(snippet)))
  const attributes = { id: `found-${place}`, role: 'option', 'aria-selected': 'false', tabindex: '-1', href }
  return element('a', { ...attributes, class: 'search-option' }, text)
}

/** Under the title of each page its parts. */
function groupsOf(pages: readonly FoundPage[]): readonly HTMLElement[] {
  let place = 0
  return pages.map(({ title, parts }, index) => {
    const id = `found-page-${index}`
    const options = parts.map((part) => optionOf(part, place++))
    const name = element('p', { id, class: 'search-group' }, title)
    return element('div', { role: 'group', 'aria-labelledby': id }, name, ...options)
  })
}

interface Parts {
  readonly field: HTMLInputElement
  readonly status: HTMLElement
  readonly list: HTMLElement
}

/** Shows what is found for the text of the field, as it is once the index is there. */
async function show({ field, status, list }: Parts): Promise<void> {
  const typed = field.value.trim()
  let pages: readonly FoundPage[] = []
  let text = typed === '' ? 'Pages, headings and text of the guide and the API reference.' : ''
  if (typed !== '') {
    try {
      const index = await loadDocuments()
      // Another character came meanwhile.
      if (field.value.trim() !== typed) return
      pages = findDocuments(index, typed)
      const count = pages.reduce((sum, { parts }) => sum + parts.length, 0)
      text =
        count === 0
          ? `Nothing found for “${typed}”. Every word must be in the same part of a page: try fewer or other words.`
          : `${count} result${count === 1 ? '' : 's'}`
    } catch {
      text = 'The search could not be loaded. Check the connection, and type again.'
    }
  }
  list.replaceChildren(...groupsOf(pages))
  status.textContent = text
  status.classList.toggle('sr-only', pages.length > 0)
  field.setAttribute('aria-expanded', String(pages.length > 0))
  list.scrollTop = 0
  select({ field, list }, 0)
}

const optionsIn = (list: HTMLElement): readonly HTMLElement[] => [
  ...list.querySelectorAll<HTMLElement>('[role=option]'),
]

/** The first result is selected, so that Enter opens it; after the last one comes the first. */
function select({ field, list }: Pick<Parts, 'field' | 'list'>, place: number): void {
  const options = optionsIn(list)
  const chosen = options[(place + options.length) % options.length]
  for (const option of options) option.setAttribute('aria-selected', String(option === chosen))
  if (chosen === undefined) field.removeAttribute('aria-activedescendant')
  else {
    field.setAttribute('aria-activedescendant', chosen.id)
    if (place !== 0) chosen.scrollIntoView({ block: 'nearest' })
  }
}

function press(event: KeyboardEvent, { field, list }: Parts): void {
  const options = optionsIn(list)
  const place = options.findIndex((option) => option.getAttribute('aria-selected') === 'true')
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Enter') options[place]?.click()
  else if (step === undefined || options.length === 0) return
  else select({ field, list }, place + step)
  event.preventDefault()
}

/** Returns what opens it. */
function addDialog(icon: Node | string): () => void {
  const field = element('input', {
    role: 'combobox',
    'aria-label': 'Search the guide and the API reference',
    'aria-expanded': 'false',
    'aria-controls': 'found',
    'aria-autocomplete': 'list',
    placeholder: 'Search the guide and the API reference',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const close = element('button', { type: 'button', class: 'button button-quiet button-small' }, 'Close')
  const status = element('p', { role: 'status', class: 'small soft search-status' })
  const list = element('div', { id: 'found', role: 'listbox', 'aria-label': 'Results', tabindex: '-1' })
  const row = element('div', { class: 'search-field' }, icon, field, close)
  const body = element('div', { role: 'search', class: 'search-body' }, row, status, list)
  const dialog = element('dialog', { class: 'dialog search-dialog', 'aria-label': 'Search' }, body)
  const parts = { field, status, list }
  field.addEventListener('input', () => void show(parts))
  field.addEventListener('keydown', (event) => press(event, parts))
  close.addEventListener('click', () => dialog.close())
  list.addEventListener('click', ({ target }) => {
    // The part may be on this page.
    if (target instanceof Element && target.closest('a') !== null) dialog.close()
  })
  document.body.append(dialog)
  return () => {
    field.value = ''
    void show(parts)
    dialog.showModal()
    // A failure is said when something is typed.
    loadDocuments().catch(() => undefined)
  }
}

/** The button is hidden until this works. */
export function addSearch(button: HTMLButtonElement): void {
  const hint = button.querySelector('kbd')
  if (hint !== null) hint.textContent = shortcut
  const open = addDialog(button.querySelector('svg')?.cloneNode(true) ?? '')
  button.addEventListener('click', open)
  onSearchKey(open)
  button.hidden = false
}
