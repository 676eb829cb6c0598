// What the report does beyond being read: finding, sorting, lighting what rests on what, a lemma beside the page.
//
// The page is complete without it. Names, uses and answers are read off the table of lemmas, the arrows off the
// picture. The address is the only state (?q=…&status=…&sort=… and #lemma-…): every change goes through it, and what
// is shown follows from it, so that reloading, the back button and a link that is passed on need no code of their own.
// Nothing is made of text but text: no string becomes markup.

const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

const root = document.documentElement;
const form = one(".find");
const panel = one(".panel");
const keys = one(".keys");
const body = one(".sizes tbody");
const graphs = all(".drawing .graph");

// --- lemmas: one record for each row of the table ---

const lemmas = new Map();
const byHash = new Map();
for (const row of all("tr[data-name]")) {
  const { name, group, every, known } = row.dataset;
  const { hash } = one("a", row);
  const block = document.getElementById(hash.slice(1));
  const lemma = { name, hash, row, block, nodes: [], group, said: { every, known }, uses: [], users: [] };
  lemmas.set(name, lemma);
  byHash.set(hash, lemma);
}
for (const lemma of lemmas.values()) {
  for (const name of JSON.parse(lemma.row.dataset.uses)) {
    lemma.uses.push(lemmas.get(name));
    lemmas.get(name).users.push(lemma);
  }
}
for (const node of all(".drawing a[data-name]")) {
  lemmas.get(node.dataset.name)?.nodes.push(node);
}
const arrows = [];
for (const path of all(".drawing path[data-from]")) {
  const [from, to] = [lemmas.get(path.dataset.from), lemmas.get(path.dataset.to)];
  if (from && to) arrows.push({ path, from, to });
}

// A lemma has a box in each picture that it is in; one of these is shown, if any.
const nodeOf = ({ nodes }) => nodes.find((node) => node.checkVisibility());

const lemmaAt = (target) => lemmas.get(target.closest?.("[data-name]")?.dataset.name);

// --- the address ---

const asked = () => new URLSearchParams(location.search);

function go(query, hash, how = "pushState") {
  const text = query.toString();
  history[how](null, "", `${location.pathname}${text && `?${text}`}${hash}`);
  follow();
}

let shown = null;
let reached = null;

function follow(roomy = true) {
  if (shown !== location.search) {
    shown = location.search;
    const query = asked();
    if (form) filter(query);
    sort(query.get("sort") ?? "");
  }
  // A search or an order leaves the panel as it is, also one that did not open since there was no room.
  if (reached === location.hash) return;
  reached = location.hash;
  if (roomy) dock(byHash.get(reached) ?? null);
}

// --- search and filters ---

// What a lemma says; neither what it uses nor what a solver said of it.
function text(lemma) {
  if (lemma.text === undefined) {
    const said = ":scope > h3 > code, :scope > p:not(.facts ~ p, .changed), .statement :is(code, .mathematics)";
    const parts = all(said, lemma.block);
    lemma.text = parts.map((part) => part.textContent).join("\n").toLowerCase();
  }
  return lemma.text;
}

function filter(query) {
  for (const field of form.elements) {
    // A search that is being typed is not touched: the cursor would jump.
    const wanted = query.get(field.name) ?? "";
    if (field.name && field.value !== wanted) field.value = wanted;
    if (field.selectedIndex < 0) field.selectedIndex = 0; // an address may ask for what this run does not have
  }
  const value = (name) => form.elements[name]?.value ?? "";
  const words = value("q").toLowerCase().split(/\s+/).filter(Boolean);
  const statuses = JSON.parse(form.elements.status?.selectedOptions[0]?.dataset.words ?? "null");
  const [scope, group] = [value("scope"), value("group")];
  let count = 0;
  for (const lemma of lemmas.values()) {
    const said = (scope ? [lemma.said[scope]] : Object.values(lemma.said)).filter(Boolean);
    const fits =
      (statuses ? said.some((word) => statuses.includes(word)) : !scope || said.length > 0) &&
      (!group || group === `in ${lemma.group}`) &&
      words.every((word) => text(lemma).includes(word));
    lemma.row.hidden = lemma.block.hidden = !fits;
    for (const node of lemma.nodes) node.classList.toggle("out", !fits);
    count += fits;
  }
  const chosen = words.length > 0 || Boolean(statuses || scope || group);
  one(".matches").textContent = !chosen
    ? ""
    : count
      ? `${count} of ${lemmas.size} lemmas shown`
      : "No lemma matches; Clear shows all.";
}

function chosen() {
  const query = asked();
  for (const { name, value } of form.elements) {
    if (!name) continue;
    if (value) query.set(name, value);
    else query.delete(name);
  }
  return query;
}

// --- sorting ---

const file = [...lemmas.values()];
const byName = new Intl.Collator("en", { numeric: true });

function sort(by) {
  const column = by.replace(/^-/, "");
  const head = all("th[data-column]").find((each) => each.dataset.column === column);
  for (const each of all("th[aria-sort]")) each.removeAttribute("aria-sort");
  const sign = by.startsWith("-") ? -1 : 1;
  head?.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
  let rows = file;
  if (head) {
    const key = ({ row }) => Number(row.cells[head.cellIndex].dataset.order ?? NaN);
    const keys = new Map(file.map((lemma) => [lemma, key(lemma)]));
    rows = file.toSorted((a, b) => {
      if (column === "name") return sign * byName.compare(a.name, b.name);
      const [first, second] = [keys.get(a), keys.get(b)];
      // Those that were not asked come last, whichever way.
      return Number.isNaN(first) - Number.isNaN(second) || sign * (first - second) || 0;
    });
  }
  body?.append(...rows.map((lemma) => lemma.row));
}

function sortBy(column) {
  const query = asked();
  const next = { [column]: `-${column}`, [`-${column}`]: "" }[query.get("sort")] ?? column;
  if (next) query.set("sort", next);
  else query.delete("sort");
  go(query, location.hash);
}

// --- what rests on what ---

function cone(lemma, way) {
  const met = new Set([lemma]);
  for (const each of met) for (const next of each[way]) met.add(next);
  return met;
}

let hovered = null;
let focused = null;
let docked = null;
let lit = null;
let marked = [];

function light() {
  const lemma = hovered ?? focused ?? docked;
  if (lemma === lit) return;
  lit = lemma;
  for (const element of marked) element.classList.remove("here", "under", "over", "on");
  marked = [];
  for (const graph of graphs) graph.classList.toggle("lit", lemma !== null);
  one(".cone").textContent = "";
  if (lemma === null) return;
  const mark = (element, name) => {
    if (!element) return;
    element.classList.add(name);
    marked.push(element);
  };
  const [under, over] = [cone(lemma, "uses"), cone(lemma, "users")];
  for (const [met, name] of [[under, "under"], [over, "over"]]) {
    for (const each of met) {
      const how = each === lemma ? "here" : name;
      mark(each.row, how);
      for (const node of each.nodes) mark(node, how);
    }
  }
  for (const { path, from, to } of arrows) {
    if ([under, over].some((met) => met.has(from) && met.has(to))) mark(path, "on");
  }
  const [below, above] = [under.size - 1, over.size - 1];
  one(".cone").textContent = `${lemma.name} rests on ${below}, ${above} ${above === 1 ? "rests" : "rest"} on it`;
}

// --- a lemma beside the page ---

let opener = null;

function dock(lemma) {
  if (lemma === docked) return;
  const inside = panel.contains(document.activeElement);
  const was = docked;
  docked = lemma;
  panel.hidden = lemma === null;
  root.classList.toggle("docked", lemma !== null);
  if (lemma) {
    const copy = lemma.block.cloneNode(true);
    copy.hidden = false;
    for (const each of [copy, ...all("[id]", copy)]) each.removeAttribute("id");
    // Two landmarks of one name could not be told apart.
    for (const each of all("[aria-label]", copy)) each.ariaLabel = `${each.ariaLabel}, in the panel`;
    one("h3", copy).id = "panel-title";
    one(".content", panel).replaceChildren(copy);
    panel.scrollTop = 0;
  } else {
    one(".content", panel).replaceChildren();
    // What it was opened from may be out of sight by now.
    const places = [opener, nodeOf(was), one("a", was.row), form?.elements.q];
    if (inside) places.find((each) => each?.checkVisibility())?.focus();
    opener = null;
  }
  light();
}

function open(lemma, from) {
  // Links inside the panel lead on in it; it is left to where it was opened first.
  if (!panel.contains(from)) opener = from;
  if (lemma !== docked) go(asked(), lemma.hash);
  dock(lemma);
  panel.focus({ preventScroll: true });
}

function close() {
  go(asked(), "");
}

// --- walking the graph ---

// On the page, not in one picture: groups that are open each have their own.
const centre = (lemma) => {
  const { x, y, width, height } = nodeOf(lemma).getBoundingClientRect();
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
};

// Up and down along the nearest arrow; left and right as one reads, from row to row, so that every lemma is reached.
function walk(lemma, key) {
  const ends = { ArrowUp: ["to", "from"], ArrowDown: ["from", "to"] }[key];
  const drawn = arrows.filter((each) => ends && each[ends[0]] === lemma && each.path.checkVisibility());
  const along = ends && [...new Set(drawn.map((each) => each[ends[1]]))];
  const places = new Map((along ?? file).filter(nodeOf).map((each) => [each, centre(each)]));
  const met = [...places.keys()];
  if (along) {
    const { x } = centre(lemma);
    met.sort((a, b) => Math.abs(places.get(a).x - x) - Math.abs(places.get(b).x - x));
  } else {
    met.sort((a, b) => places.get(a).y - places.get(b).y || places.get(a).x - places.get(b).x);
  }
  const next = along ? met[0] : met[met.indexOf(lemma) + (key === "ArrowLeft" ? -1 : 1)];
  if (next) enter(nodeOf(next));
}

// The graph is one stop of the Tab key: what was in it last.
let stop = null;

function enter(node) {
  rest(node);
  node.focus();
  node.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function rest(node) {
  stop?.setAttribute("tabindex", "-1");
  node.setAttribute("tabindex", "0");
  stop = node;
}

// --- events: a few for the whole page, however many lemmas it has ---

const DO = {
  keys: () => keys.showModal(),
  close,
  sort: (button) => sortBy(button.closest("th").dataset.column),
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (button) DO[button.dataset.do]?.(button);
  // A click that asks for another tab or window gets it.
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = event.target.closest("a[href^='#']");
  const lemma = link && byHash.get(link.getAttribute("href"));
  if (!lemma) return;
  event.preventDefault();
  open(lemma, link);
});

document.addEventListener("pointerover", ({ target, pointerType }) => {
  hovered = pointerType === "mouse" ? (lemmaAt(target) ?? null) : null;
  light();
});
root.addEventListener("pointerleave", () => {
  hovered = null;
  light();
});
document.addEventListener("focusin", ({ target }) => {
  focused = lemmaAt(target) ?? null;
  if (focused?.nodes.includes(target)) rest(target);
  light();
});
document.addEventListener("focusout", ({ relatedTarget }) => {
  if (relatedTarget) return;
  focused = null;
  light();
});

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
  const lemma = target.closest?.(".drawing") ? lemmaAt(target) : null;
  const typing = target.matches?.("input:not([type=checkbox]), select");
  // In the search the browser's own Escape comes first: it takes away what was typed.
  if (key === "Escape" && docked && !(target.type === "search" && target.value)) close();
  else if (typing) return;
  else if (key === "/" && form) form.elements.q.focus();
  else if (key === "?") keys.showModal();
  else if (key.startsWith("Arrow") && lemma) walk(lemma, key);
  else return;
  event.preventDefault();
});

form?.addEventListener("input", ({ target }) => {
  // The back button undoes a choice, not a letter.
  go(chosen(), location.hash, target.name === "q" ? "replaceState" : "pushState");
});
form?.addEventListener("submit", (event) => event.preventDefault());
form?.addEventListener("reset", (event) => {
  event.preventDefault();
  const query = asked();
  for (const { name } of form.elements) if (name) query.delete(name);
  go(query, location.hash);
  form.elements.q.focus();
});

addEventListener("popstate", () => follow());
addEventListener("hashchange", () => follow());

// --- start ---

for (const head of all("th[data-column]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.do = "sort";
  button.append(...head.childNodes);
  head.append(button);
}
for (const control of all(".find, .told, .walked")) control.hidden = false;
const nodes = file.flatMap((lemma) => lemma.nodes);
for (const node of nodes) node.setAttribute("tabindex", "-1");
// Another picture may be shown now than the one that was in last.
const settle = () => {
  const first = stop?.checkVisibility() ? stop : nodes.find((node) => node.checkVisibility());
  if (first) rest(first);
};
settle();
one(".drawing")?.addEventListener("change", settle);
one(".drawing")?.addEventListener("toggle", settle, true);
// Where the panel would cover the page, the browser has just gone to the lemma's block, and that is enough.
follow(matchMedia("(min-width: 64rem)").matches);
