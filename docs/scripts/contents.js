// Scrolls the list of pages to the current one.
const list = document.querySelector('#contents');
const current = list?.querySelector('[aria-current]');
if (current && current.offsetTop > list.clientHeight / 2) {
  list.scrollTop = current.offsetTop - list.clientHeight / 3;
}
