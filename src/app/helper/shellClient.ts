/**
 * How a hook reaches the helper without starting a Node: a few lines of Perl, which is there wherever git is and starts in
 * a fraction of the time. It finds the helper of the folder it runs in by its *door*, a small file beside the socket, hands
 * it the payload, and prints the answer. Whatever goes wrong, it becomes the program that it was given for that case, with
 * the payload on its input, as if it had never been there. While the helper works it says so by dots: work that takes long
 * is waited for, since whoever did it once more at the same time would record it twice.
 */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, writeFileAtomic } from '../../base/atomicFile.ts';
import { rootId } from '../../base/root.ts';
import type { Root } from '../../core/ids.ts';
import type { HelperRecord } from './helperRecord.ts';

export function doorFolder(home: string): string {
  return path.join(home, 'run');
}

/** For clients that cannot compute where the record is. Not on Windows, whose hooks have no Perl. */
export function openDoor(home: string, { root, address, token }: HelperRecord): void {
  // A line each: a name with a line end has no door.
  if (/[\r\n]/.test(root + address)) return;
  makeFolder(doorFolder(home));
  writeFileAtomic(doorFile(home, root), `${root}\n${address}\n${token}\n`, { durable: false });
}

export function closeDoor(home: string, root: string): void {
  fs.rmSync(doorFile(home, root), { force: true });
}

function doorFile(home: string, root: string): string {
  return path.join(doorFolder(home), `${rootId(root as Root)}.door`);
}

/** Milliseconds for which it waits without hearing anything. */
export const clientWait = 3000;

/**
 * The program, for `perl -e`: free of single quotes. Arguments: our home store, the agent, the event ('' where the hook's
 * configuration names none), then the program to become and its arguments.
 */
export const perlClient = `
my ($home, $agent, $event, @other) = @ARGV;
my ($payload, $file);
sub instead {
  if (defined $payload) {
    $file = "$home/run/payload-$$";
    umask 077;
    open(F, ">", $file) && print(F $payload) && close(F) && open(STDIN, "<", $file);
    unlink $file;
  }
  exec { $other[0] } @other;
  exit 0;
}
$SIG{ALRM} = \\&instead;
$SIG{PIPE} = "IGNORE";
my ($root, $address, $token) = ("", "", "");
opendir(D, "$home/run") || instead();
for (readdir D) {
  next unless /\\.door$/ && open(F, "<", "$home/run/$_");
  chomp(my ($r, $a, $t) = <F>);
  close F;
  next unless defined $t && length $r > length $root && index("$ENV{PWD}/", "$r/") == 0;
  ($root, $address, $token) = ($r, $a, $t);
}
instead() if $root eq "";
my $name = $^O eq "linux" ? pack("Sa*", 1, "$address\\0") : pack("CCa*", 3 + length $address, 1, "$address\\0");
alarm 3;
socket(S, 1, 1, 0) && connect(S, $name) || instead();
binmode STDIN; binmode STDOUT;
{ local $/; $payload = <STDIN>; }
$payload = "" unless defined $payload;
my $sign = defined $ENV{CLAUDECODE} ? "CLAUDECODE" : "";
my $request = join("\\t", "hook", $token, $agent, $event, $ENV{PWD}, $sign, time) . "\\n$payload";
for (my $at = 0; $at < length $request;) {
  my $sent = syswrite(S, $request, 65536, $at);
  instead() unless $sent;
  $at += $sent;
}
shutdown(S, 1);
my $answer = "";
while (sysread(S, $answer, 65536, length $answer)) { alarm 3; }
instead() unless $answer =~ s/^\\.*ok\\n//;
print $answer;
`.trim();
