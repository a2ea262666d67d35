// Loaded into pgtyped, which sends each statement in several packets. Without this, TCP delays all but the first by 40 ms, and
// all statements together take 20 s longer.
import { Socket } from 'node:net';

const { connect } = Socket.prototype;

Socket.prototype.connect = function (...args) {
  this.setNoDelay();
  return connect.apply(this, args);
};
