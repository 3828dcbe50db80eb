#version 330 core
// Which triangle is seen here, from 1 on; 0: none. A float has all numbers up to 2^24.
out float triangle;

void main() {
    triangle = float(gl_PrimitiveID + 1);
}
