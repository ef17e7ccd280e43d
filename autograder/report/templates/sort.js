for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.title = "Sort by this column";
    button.addEventListener("click", () => {
      const [first, second] = column ? ["descending", "ascending"] : ["ascending", "descending"];
      const down = (head.getAttribute("aria-sort") === first ? second : first) === "descending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => {
        const cell = row.cells[column];
        if (!cell || cell.dataset.value === undefined) return null;
        return cell.dataset.value === "" ? cell.textContent : Number(cell.dataset.value);
      };
      const order = (a, b) => {
        const [x, y] = [key(a), key(b)];
        if (x === null || y === null) return (x === null) - (y === null);
        const sign = typeof x === "string" ? x.localeCompare(y) : x - y;
        return down ? -sign : sign;
      };
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort(order));
    });
  });
}
