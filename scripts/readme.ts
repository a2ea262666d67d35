import { readFile, writeFile } from 'node:fs/promises';
import { withConfigurationTable } from './configuration-table';

/** npm run readme: brings the README's configuration table in line with the schema. */
const readme = await readFile('README.md', 'utf8');
await writeFile('README.md', withConfigurationTable(readme));
