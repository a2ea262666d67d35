import { readFile, writeFile } from 'node:fs/promises';
import { environmentExample, withConfigurationTable } from './configuration-table';

/** npm run readme: brings the README's configuration table and .env.example in line with the schema. */
const readme = await readFile('README.md', 'utf8');
await writeFile('README.md', withConfigurationTable(readme));
await writeFile('.env.example', environmentExample());
