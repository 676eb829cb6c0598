// How large the graph is drawn. It opens fitted to the width of the page or, where its names could then not be read,
// with as many of its nodes to the left as to the right.

const LEAST = 0.5;
const STEP = 1.25;

const box = document.querySelector(".drawing");
const graph = box?.querySelector(".graph");
const natural = graph?.viewBox.baseVal.width;
const centres = [...document.querySelectorAll(".drawing a[data-name]")].map((node) => {
  const { x, width } = node.getBBox();
  return x + width / 2;
});
centres.sort((a, b) => a - b);

let scale = 1;
let fitted = true;

// The place, in the graph's own measure, stays in the middle of the box.
function draw(to, place = (box.scrollLeft + box.clientWidth / 2) / scale) {
  scale = Math.min(Math.max(to, 0.1), 3);
  graph.style.width = `${natural * scale}px`;
  graph.style.height = "auto";
  box.scrollLeft = place * scale - box.clientWidth / 2;
}

function fit(least) {
  const { paddingLeft, paddingRight } = getComputedStyle(box);
  const room = box.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  draw(Math.min(1, Math.max(least, room / natural)), centres[centres.length >> 1]);
  fitted = true;
}

function zoom(factor) {
  draw(scale * factor);
  fitted = false;
}

const BUTTONS = { fit: () => fit(0), larger: () => zoom(STEP), smaller: () => zoom(1 / STEP) };
const KEYS = { 0: BUTTONS.fit, "+": BUTTONS.larger, "-": BUTTONS.smaller };

if (centres.length) {
  const zooms = document.querySelector(".zoom");
  zooms.hidden = false;
  zooms.addEventListener("click", ({ target }) => BUTTONS[target.dataset.do]?.());
  box.addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey }) => {
    if (!ctrlKey && !metaKey && !altKey) KEYS[key]?.();
  });
  let room = 0;
  new ResizeObserver(() => {
    if (fitted && box.clientWidth !== room) fit(LEAST);
    room = box.clientWidth;
  }).observe(box);
}
