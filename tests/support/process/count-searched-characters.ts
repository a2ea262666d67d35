import { prepareImport } from '../../../src/server/orders/import/prepare';

// Prints how many characters patterns search while 201 rows of one order are prepared, of which the first has a long order number. A
// process of its own: V8 runs patterns several times as slowly once `exec` has been replaced, even after it is put back.
const longNumber = `1.0${' '.repeat(100_000)}`;
const rows = [longNumber, ...Array<string>(100).fill('1'), ...Array<string>(100).fill('#1')];

const { exec } = RegExp.prototype;
let searchedLength = 0;
RegExp.prototype.exec = function (text) {
  searchedLength += text.length;
  return exec.call(this, text);
};
const { warnings } = prepareImport(
  { members: { account_id: 1, rows: rows.map((receipt_id) => ({ receipt_id })) } },
  1_000,
);
process.stdout.write(
  JSON.stringify({ numberLength: longNumber.length, searchedLength, warningCount: warnings.length }),
);
