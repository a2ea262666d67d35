import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ADDRESSES, NETWORK, namespacePrefix } from './network';

const TEMPLATE_FOLDER = path.resolve('deploy/cluster');
const POSTGRES_UID = Number(execFileSync('id', ['-u', 'postgres']));
const POSTGRES_GID = Number(execFileSync('id', ['-g', 'postgres']));
/**
 * Makes a command run as the user postgres, because PostgreSQL refuses to run as root. Only for database hosts: the user may be
 * unable to enter the folder of the project.
 */
const AS_POSTGRES = ['setpriv', `--reuid=${POSTGRES_UID}`, `--regid=${POSTGRES_GID}`, '--clear-groups'];

/** The template values that are the same on every host. */
export interface TemplateValues {
  POSTGRES_BIN: string;
  POOL_MODE: 'session' | 'transaction';
  [secret: string]: string;
}

/** A host with its folders, its configuration from the templates of deploy/cluster, and its processes. */
export class Host {
  readonly #processByProgram = new Map<string, ChildProcess>();
  /** How many times each program has been started. */
  readonly startCountByProgram = new Map<string, number>();
  readonly address: string;

  constructor(
    readonly name: string,
    readonly folder: string,
    private readonly values: TemplateValues,
  ) {
    this.address = ADDRESSES[name.toUpperCase() as keyof typeof ADDRESSES];
  }

  async createFolders(): Promise<void> {
    for (const subfolder of ['', 'data', 'run', 'etc', 'log']) {
      const subfolderPath = path.join(this.folder, subfolder);
      await mkdir(subfolderPath);
      await chown(subfolderPath, POSTGRES_UID, POSTGRES_GID);
    }
  }

  /** Returns a template with its placeholders filled in. */
  async render(template: string): Promise<string> {
    const { folder, name, address } = this;
    const values: Record<string, string> = {
      ...this.values,
      ...ADDRESSES,
      NETWORK,
      NAME: name,
      ADDRESS: address,
      DATA: path.join(folder, 'data'),
      RUN: path.join(folder, 'run'),
      ETC: path.join(folder, 'etc'),
    };
    const text = await readFile(path.join(TEMPLATE_FOLDER, template), 'utf8');
    return text.replace(/\$\{(\w+)\}/g, (_, key: string) => {
      if (values[key] === undefined) throw new Error(`${template} needs a value for ${key}`);
      return values[key];
    });
  }

  /** Writes a configuration file that only the postgres user can read. Returns its path. */
  async writeConfig(fileName: string, text: string): Promise<string> {
    const configPath = path.join(this.folder, 'etc', fileName);
    await writeFile(configPath, text);
    await chmod(configPath, 0o600);
    await chown(configPath, POSTGRES_UID, POSTGRES_GID);
    return configPath;
  }

  /** Returns the variables that a template defines, by name. The template has the format of systemd's EnvironmentFile. */
  async readEnvironment(template: string): Promise<Record<string, string>> {
    const lines = (await this.render(template)).split('\n').filter((line) => /^\w+=/.test(line));
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  }

  /** Starts a process on the host. Its output goes to the folder `log`. */
  start(program: string, command: string[], environment: Record<string, string> = {}): void {
    const logFd = openSync(path.join(this.folder, 'log', `${program}.log`), 'a');
    const [executable, ...args] = [...this.#prefix, ...command];
    const child = spawn(executable!, args, {
      env: this.#environmentOf(environment),
      stdio: ['ignore', logFd, logFd],
      cwd: path.resolve('.'),
    });
    this.#processByProgram.set(program, child);
    this.startCountByProgram.set(program, (this.startCountByProgram.get(program) ?? 0) + 1);
  }

  /** Runs a command on the host. Returns its output. */
  run(command: string[], environment: Record<string, string> = {}): string {
    const [executable, ...args] = [...this.#prefix, ...command];
    const env = this.#environmentOf(environment);
    return execFileSync(executable!, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** The prefix that makes a command run on this host, and on a database host as the user postgres. */
  get #prefix(): string[] {
    if (this.name === 'lb') return [];
    return [...namespacePrefix(this.name), ...(this.name.startsWith('db') ? AS_POSTGRES : [])];
  }

  /** Returns the environment of a process. It inherits nothing but PATH, as in a service that systemd starts. */
  #environmentOf(variables: Record<string, string>): NodeJS.ProcessEnv {
    const PATH = `${process.env.PATH}:/usr/sbin:/usr/bin`;
    return {
      NODE_ENV: 'production',
      PATH,
      LANG: 'C.UTF-8',
      HOME: path.join(this.folder, 'data'),
      ...variables,
    };
  }

  isRunning(program: string): boolean {
    const child = this.#processByProgram.get(program);
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  signal(program: string, signal: NodeJS.Signals): void {
    this.#processByProgram.get(program)!.kill(signal);
  }

  async kill(program: string): Promise<void> {
    if (!this.isRunning(program)) return;
    const child = this.#processByProgram.get(program)!;
    const exitPromise = once(child, 'exit');
    child.kill('SIGKILL');
    await exitPromise;
  }

  readLog(program: string): Promise<string> {
    return readFile(path.join(this.folder, 'log', `${program}.log`), 'utf8');
  }
}
